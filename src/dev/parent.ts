const CHECK_MS = 200;

/**
 * Calls back once when npm or its shell has ended: npm sends SIGTERM only to the shell, which ends without passing it
 * on. Outside npm scripts a parent may leave its child running, so nothing is watched.
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
