/**
 * Measures how long this thread's event loop is blocked, in milliseconds of the thread's own computing time. Other
 * programs on the machine do not count, so a busy machine changes little.
 */
export function watchTurns(): { longest(): number; stop(): void } {
  let longest = 0;
  let before = process.threadCpuUsage();
  const turn = () => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    before = process.threadCpuUsage();
  };
  const timer = setInterval(turn, 1).unref();
  return {
    /** Since the last call. */
    longest() {
      turn();
      const answer = longest;
      longest = 0;
      return answer;
    },
    stop: () => clearInterval(timer),
  };
}
