/** An expected reason why the stack cannot start. Its message is complete, so no stack trace is shown. */
export class StartupError extends Error {}
