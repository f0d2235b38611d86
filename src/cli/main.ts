import { readCall, readInput, refuseCommand } from "./arguments.ts";
import { type Command, Failure, UsageError } from "./command.ts";
import { creditCommands } from "./credits.ts";
import { readEnvironment } from "./environment.ts";
import { keyCommands } from "./keys.ts";
import { queueCommands } from "./queues.ts";
import { usage, usageOf } from "./usage.ts";
import { workspaceCommands } from "./workspaces.ts";

/** `npm run -s cli`: what operators do at the command line. */

const commands: readonly Command[] = [...workspaceCommands, ...keyCommands, ...creditCommands, ...queueCommands];

const { json, help, command, words } = readCall(process.argv.slice(2), commands);
process.exitCode = await main().catch(fail);

async function main(): Promise<number> {
  if (help || words.length === 0) {
    console.log(command ? usageOf(command) : usage(commands));
    return help ? 0 : 2;
  }
  if (!command) return refuseCommand(words, commands);

  const input = readInput(command, words.slice(2));
  const config = readEnvironment(process.env);
  // Most of a start's time goes into loading what talks to Postgres; help and wrong usage do without it.
  const { openOperator } = await import("./operator.ts");
  const operator = openOperator(config);
  try {
    const result = await command.run(operator, input as never);
    console.log(json ? JSON.stringify(result.json) : result.text);
    return 0;
  } finally {
    await operator.close();
  }
}

function fail(error: unknown): number {
  const wrongUsage = error instanceof UsageError;
  const foreseen = wrongUsage || error instanceof Failure;
  const message = foreseen ? error.message : ((error as Error).stack ?? String(error));
  if (json)
    console.log(JSON.stringify({ error: { code: wrongUsage ? "usage" : foreseen ? "failure" : "fault", message } }));
  else console.error(wrongUsage ? `${message}\n\n${command ? usageOf(command) : usage(commands)}` : message);
  return wrongUsage ? 2 : 1;
}
