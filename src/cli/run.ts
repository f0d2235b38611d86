import { readCall, readInput, refuseCommand } from "./arguments.ts";
import { type Command, Failure, UsageError } from "./command.ts";
import { creditCommands } from "./credits.ts";
import { readEnvironment } from "./environment.ts";
import { keyCommands } from "./keys.ts";
import { queueCommands } from "./queues.ts";
import { usage, usageOf } from "./usage.ts";
import { workspaceCommands } from "./workspaces.ts";

const commands: readonly Command[] = [...workspaceCommands, ...keyCommands, ...creditCommands, ...queueCommands];

/** What a process prints, and the exit code it ends with: 0, 1 for a failure, 2 for wrong usage. */
export type Run = { code: 0 | 1 | 2; out: string; err: string };

/** Runs the command that the arguments name. Never throws: every error becomes a message. */
export async function runCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Run> {
  const call = readCall(args, commands);
  const { json, help, command, words } = call;
  try {
    if (help || words.length === 0) return printed(command ? usageOf(command) : usage(commands), help ? 0 : 2);
    if (!command) return refuseCommand(words, commands);

    const input = readInput(command, words.slice(2));
    const config = readEnvironment(env);
    // Most of a start's time goes into loading what talks to Postgres; help and wrong usage do without it.
    const { openOperator } = await import("./operator.ts");
    const operator = openOperator(config);
    try {
      const result = await command.run(operator, input as never);
      return printed(json ? JSON.stringify(result.json) : result.text, 0);
    } finally {
      await operator.close();
    }
  } catch (error) {
    return failed(error, call);
  }
}

const printed = (text: string, code: Run["code"]): Run => ({ code, out: `${text}\n`, err: "" });

function failed(error: unknown, { json, command }: Pick<ReturnType<typeof readCall>, "json" | "command">): Run {
  const wrongUsage = error instanceof UsageError;
  const foreseen = wrongUsage || error instanceof Failure;
  const message = foreseen ? error.message : ((error as Error).stack ?? String(error));
  const code = wrongUsage ? 2 : 1;
  if (json) {
    const kind = wrongUsage ? "usage" : foreseen ? "failure" : "fault";
    return printed(JSON.stringify({ error: { code: kind, message } }), code);
  }
  const help = wrongUsage ? `\n\n${command ? usageOf(command) : usage(commands)}` : "";
  return { code, out: "", err: `${message}${help}\n` };
}
