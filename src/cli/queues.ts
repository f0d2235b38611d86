import { command } from "./command.ts";
import { columns } from "./usage.ts";

export const queueCommands = [
  command("queues status", {
    summary: "Show the number of jobs in each queue",
    options: {},
    async run(operator) {
      const { countJobs, STATES } = await import("./count-jobs.ts");
      const status = await countJobs(operator.resources);
      const cells = (row: readonly (string | number)[]) => row.map((cell) => String(cell).padStart(8)).join("");
      const rows = Object.entries(status).map(([name, counts]) => {
        return [name, cells(STATES.map((state) => counts[state]))] as const;
      });
      return { json: { queues: status }, text: columns([["queue", cells(STATES)], ...rows]) };
    },
  }),
];
