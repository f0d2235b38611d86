/** Lets other calls run before long work continues, so that they need not wait for all of it. */
export const letOthersRun = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
