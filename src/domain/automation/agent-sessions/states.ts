/** States of agent sessions. The last three end a session; all but `cancelled` may be left again. */
export const STATES = ["running", "needs_input", "review", "done", "failed", "cancelled"] as const;
export type State = (typeof STATES)[number];

const OPEN: readonly State[] = ["running", "needs_input", "review"];
export const isOpen = (state: State): boolean => OPEN.includes(state);
