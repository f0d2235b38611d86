import type { Config } from "../config.ts";
import { unitOfWork } from "../domain/events/unit-of-work.ts";
import { type Ctx, systemContext, type Writing } from "../domain/kernel/context.ts";
import { Refusal } from "../domain/kernel/errors.ts";
import type { Sealer } from "../domain/kernel/ports/ports.ts";
import { isUnavailable, openResources, type Resources } from "../resources.ts";
import { whatToDo } from "../start.ts";
import { Failure } from "./command.ts";

/** The operator's context. An operator is outside all workspaces, with direct access to the database. */
export type Operator = {
  resources: Resources;
  /** Runs one transaction. @throws Failure for errors that the operator can fix */
  write<T>(work: (ctx: Writing) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

export function openOperator(config: Config): Operator {
  const resources = openResources({ ...config, LOG_LEVEL: "silent", DATABASE_POOL: 1 }, "cli");
  const { database, entities } = resources;
  return {
    resources,
    async write(work) {
      try {
        return await unitOfWork(contextOf(resources), { database, entities, workspaceId: null }, work);
      } catch (error) {
        throw explained(error);
      }
    },
    close: resources.close,
  };
}

const contextOf = (resources: Resources): Ctx =>
  systemContext({ ...resources, ports: { ...resources.ports, sealer } }, new Date().toISOString());

const keyless = (): never => {
  throw new Error("Commands run without the installation's SECRET_KEY and must not seal anything.");
};
const sealer: Sealer = { seal: keyless, open: keyless, sealBytes: keyless, openBytes: keyless };

function explained(error: unknown): unknown {
  if (error instanceof Refusal) return new Failure(error.message);
  const advice = whatToDo(error);
  if (advice !== null) return new Failure(advice);
  return isUnavailable(error) ? new Failure(`Postgres is busy (${(error as Error).message}). Try again.`) : error;
}
