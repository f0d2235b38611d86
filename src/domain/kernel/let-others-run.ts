/** Lets other calls run before long work goes on, so that none of them waits for all of it. */
export const letOthersRun = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
