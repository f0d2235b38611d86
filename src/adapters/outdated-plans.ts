/**
 * Prepared statements whose columns a migration changed. Postgres refuses them on each connection that has prepared them,
 * for as long as the connection lasts. So after the first refusal all statements get new names, and are prepared anew.
 */

let generation = 0;

/** The name under which a statement is prepared. The end of a long name does not count. */
export const presentName = (name: string): string => (generation === 0 ? name : `${generation}@${name}`);

/** Whether Postgres refused the statement because its columns have changed. It has done nothing, so it may run again. */
export const isOutdated = (error: unknown): boolean => {
  const { code, routine } = error as { code?: string; routine?: string };
  return code === "0A000" && routine === "RevalidateCachedQuery";
};

/** Lets all statements be prepared anew, if `error` says so of one with this name. */
export function renewNames(name: string, error: unknown): void {
  if (isOutdated(error) && presentName("") === (/^\d+@/.exec(name)?.[0] ?? "")) generation++;
}
