import { runCommand } from "./run.ts";

/** `npm run -s cli`: operator commands. */

const { code, out, err } = await runCommand(process.argv.slice(2), process.env);
process.stdout.write(out);
process.stderr.write(err);
process.exitCode = code;
