const CHECK_MS = 200;

/**
 * Calls back once when npm or its shell is gone: npm passes a SIGTERM to the shell alone, and the shell dies without
 * passing it on. Outside npm scripts a parent may well leave its child running, so nothing is watched.
 */
export function whenNpmEnds(callback: () => void): void {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, CHECK_MS).unref();
}
