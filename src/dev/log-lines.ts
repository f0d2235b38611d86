const LEVELS: Record<number, string> = { 10: "trace", 20: "debug", 30: "info", 40: "WARN", 50: "ERROR", 60: "FATAL" };

/**
 * Formats one line of a process's output for people: pino's JSON becomes time, level, message and the other fields.
 */
export function readableLine(name: string, line: string): string {
  const head = name.padEnd(8);
  const entry = parse(line);
  if (!entry) return `${head}${line}`;

  const { level, time, msg, pid: _pid, hostname: _hostname, process: _process, err, ...fields } = entry;
  const clock = new Date(time as string | number).toTimeString().slice(0, 8);
  const rest = Object.keys(fields).length > 0 ? ` ${JSON.stringify(fields)}` : "";
  const cause = err?.stack ?? err?.message;
  const stack = cause ? `\n${head}${String(cause).replaceAll("\n", `\n${head}`)}` : "";
  return `${head}${clock} ${LEVELS[Number(level)] ?? level} ${msg ?? ""}${rest}${stack}`;
}

type Entry = { level: unknown; time: unknown; msg?: string; err?: { stack?: string; message?: string } } & Record<
  string,
  unknown
>;

function parse(line: string): Entry | undefined {
  if (!line.startsWith('{"level":')) return undefined;
  try {
    return JSON.parse(line) as Entry;
  } catch {
    return undefined;
  }
}
