/** Rounds a figure to at most two decimals. */
export const rounded = (value: number, decimals: 1 | 2 = 2): number => Number(value.toFixed(decimals));

export const percentOf = (part: number, whole: number): number => (whole === 0 ? 0 : rounded((100 * part) / whole, 1));

export const average = (values: readonly number[]): number =>
  values.length === 0 ? 0 : rounded(values.reduce((sum, value) => sum + value, 0) / values.length);
