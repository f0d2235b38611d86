/**
 * Progress as exact fractions. Postgres computes them as `numeric` with 100 digits after the point, so that no rounding
 * error reaches the whole percent that the API shows. Rounding never makes 0 of a fraction above 0, nor 1 of one below 1.
 */

const LEAST = "1e-100";

/**
 * The fraction `n`/`d`, limited to the range from 0 to 1.
 * @param n SQL of a numeric
 * @param d SQL of a numeric above 0
 */
export const fractionOf = (n: string, d: string): string => `
  case when ${n} <= 0 then 0::numeric when ${n} >= ${d} then 1::numeric
       else least(greatest(round((${n} + 0e-100) / ${d}, 100), ${LEAST}), 1 - ${LEAST}) end`;

/**
 * A fraction as the API shows it, in whole percent: 100 only if it is 1, and 0 only if it is 0; null stays null. The small addend makes up
 * for fractions that are a half in truth and were rounded down, such as the mean of thirds.
 */
export const percentOf = (fraction: string): string => `
  case when ${fraction} is null then null when ${fraction} <= 0 then 0 when ${fraction} >= 1 then 100
       else least(99, greatest(1, floor(${fraction} * 100 + 0.5 + 1e-80)))::integer end`;
