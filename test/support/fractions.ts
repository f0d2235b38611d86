/** Exact fractions of big integers, to compute progress independently of the code that is tested. */

/** n/d, with d above 0. */
export type Fraction = { n: bigint; d: bigint };

/** The quotient of two numbers, exactly as JSON writes them: 0.1 is a tenth. */
export const fraction = (numerator: number, denominator = 1): Fraction =>
  divided(decimal(numerator), decimal(denominator));

/** A number as JSON writes it: digits, and maybe a point and an exponent. */
function decimal(number: number): Fraction {
  const [mantissa = "", exponent = "0"] = String(number).split("e");
  const [whole = "", decimals = ""] = mantissa.split(".");
  const n = BigInt(whole + decimals);
  const power = Number(exponent) - decimals.length;
  return power < 0 ? { n, d: 10n ** BigInt(-power) } : { n: n * 10n ** BigInt(power), d: 1n };
}

const plus = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d });
const minus = (a: Fraction, b: Fraction): Fraction => plus(a, { n: -b.n, d: b.d });
const times = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.n, d: a.d * b.d });
function divided(a: Fraction, b: Fraction): Fraction {
  const sign = b.n < 0n ? -1n : 1n;
  return { n: a.n * b.d * sign, d: a.d * b.n * sign };
}
const isLess = (a: Fraction, b: Fraction) => a.n * b.d < b.n * a.d;
const ZERO = { n: 0n, d: 1n };
const ONE = { n: 1n, d: 1n };
const limited = (a: Fraction) => (isLess(a, ZERO) ? ZERO : isLess(ONE, a) ? ONE : a);

/** How far a reported value is on the way from the start to the target. Null if one of them is missing. */
export function progressOfKeyResult(values: {
  start_value: number | null;
  target_value: number | null;
  current_value: number | null;
}): Fraction | null {
  const { start_value, target_value, current_value } = values;
  if (target_value === null || current_value === null) return null;
  const [start, target, current] = [start_value ?? 0, target_value, current_value].map(decimal) as [
    Fraction,
    Fraction,
    Fraction,
  ];
  const range = minus(target, start);
  if (range.n === 0n) return isLess(current, target) ? ZERO : ONE;
  return limited(divided(minus(current, start), range));
}

/** The mean by weight of those parts that have a progress. Null if none has. */
export function mean(parts: readonly { weight: number; progress: Fraction | null }[]): Fraction | null {
  let sum = ZERO;
  let weights = ZERO;
  for (const { weight, progress } of parts) {
    if (progress === null) continue;
    sum = plus(sum, times(decimal(weight), progress));
    weights = plus(weights, decimal(weight));
  }
  return weights.n === 0n ? null : divided(sum, weights);
}

/**
 * Whole percent: the nearest number, but 100 only for 1 and 0 only for 0. A fraction that is less than 1e-80 percent below
 * a half counts as a half: progress is stored with 100 digits, which is enough for all others.
 */
export function percentOf(progress: Fraction | null): number | null {
  if (progress === null) return null;
  if (progress.n === 0n) return 0;
  if (progress.n === progress.d) return 100;
  const raised = plus(times(progress, { n: 100n, d: 1n }), plus({ n: 1n, d: 2n }, { n: 1n, d: 10n ** 80n }));
  return Math.min(99, Math.max(1, Number(raised.n / raised.d)));
}
