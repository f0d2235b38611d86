/**
 * Watches for how long this thread's event loop is held without a turn for anything else, in milliseconds of the thread's
 * own computing time. Other programs of the machine do not count in it, so that a busy machine changes little.
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
    /** Since it was last asked. */
    longest() {
      turn();
      const answer = longest;
      longest = 0;
      return answer;
    },
    stop: () => clearInterval(timer),
  };
}
