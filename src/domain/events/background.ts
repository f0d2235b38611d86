import { type Ctx, systemContext, type Writing } from "../kernel/context.ts";
import type { Database } from "../kernel/ports/ports.ts";
import { type Entities, unitOfWork } from "./unit-of-work.ts";

/** The context of work without a caller. It opens its own transactions, before and after its calls to other services. */
export type Background = Ctx & { readonly database: Database; readonly entities: Entities };

/** The context of work without a caller: jobs, and notices from other services. */
export const backgroundOf = (
  held: Pick<Background, "database" | "entities" | "ports" | "settings" | "log">,
  now: string,
): Background => ({ ...systemContext(held, now), database: held.database, entities: held.entities });

/** Runs one transaction in a workspace. Events recorded in it commit with it. */
export const write = <Base extends Background, T>(
  ctx: Base,
  workspaceId: string,
  work: (ctx: Base & Writing) => Promise<T>,
): Promise<T> => unitOfWork(ctx, { database: ctx.database, entities: ctx.entities, workspaceId }, work);
