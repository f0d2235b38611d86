import { locateVisitor } from "../../src/api/engine/access.ts";
import { openAccessMemory } from "../../src/domain/access/identity/access.sql.ts";
import { openSession, readVisitor } from "../../src/domain/access/sign-in/sessions.ts";
import { unitOfWork } from "../../src/domain/events/unit-of-work.ts";
import { type Ctx, type InWorkspace, systemContext, type Writing } from "../../src/domain/kernel/context.ts";
import type { App } from "./app.ts";
import type { World } from "./world.ts";

/** The system's context at the current time. */
export const systemNow = ({ resources }: App): Ctx => systemContext(resources, new Date().toISOString());

/** The context in which pages act for a person who is signed in. */
export async function actingAs({ app, workspace }: World, { userId }: { userId: string }) {
  const base = systemNow(app);
  const { cookie } = await openSession(base, userId, { address: "127.0.0.1", userAgent: "" });
  const own = { database: app.resources.database, memory: openAccessMemory() };
  return (await locateVisitor(own, (await readVisitor(base, cookie))!, workspace.slug, base))! satisfies InWorkspace;
}

/** One transaction. Without a workspace it is outside all tenants, like operators' commands. */
export const transact = <Base extends Ctx, T>(
  { resources: { database, entities } }: App,
  ctx: Base,
  workspaceId: string | null,
  work: (ctx: Base & Writing) => Promise<T>,
): Promise<T> => unitOfWork(ctx, { database, entities, workspaceId }, work);
