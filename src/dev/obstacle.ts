/** A foreseen reason why the stack cannot run. Its message is all that a person needs, so no stack trace is shown. */
export class Obstacle extends Error {}
