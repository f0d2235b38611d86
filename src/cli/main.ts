import { runCommand } from "./run.ts";

/** `npm run -s cli`: what operators do at the command line. */

const { code, out, err } = await runCommand(process.argv.slice(2), process.env);
process.stdout.write(out);
process.stderr.write(err);
process.exitCode = code;
