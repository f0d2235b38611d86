import { createHash } from "node:crypto";
import type Router from "@koa/router";
import type { Context } from "koa";
import { networkOf } from "../../../domain/addresses.ts";
import type { Ctx } from "../../../domain/context.ts";
import { refuse } from "../../../domain/errors.ts";
import type { PublicForm } from "../../../domain/forms/public.sql.ts";
import { doorOf, isClosed, isMember, locate, tryPassword } from "../../../domain/forms/public.ts";
import { type Sending, submit } from "../../../domain/forms/submit.ts";
import type { Visitor } from "../../../domain/people/sessions.ts";
import { unitOfWork } from "../../../domain/unit-of-work.ts";
import { baseContext, type Runtime } from "../../engine/call.ts";
import { withRetries } from "../../engine/retry.ts";
import { type Form, readForm } from "../people/forms.ts";
import { refusalOf } from "../people/site.ts";
import { visitorOf } from "../people/visitors.ts";
import { EMAIL, type Filled, formPage, TRAP } from "./body.ts";
import { nameOf } from "./fields.ts";
import { show } from "./look.ts";
import { doorPage, passwordPage, sentPage } from "./other-pages.ts";

/** The public pages of forms, which need no script and no account. */

const MOST_BYTES = 1024 * 1024;

type Call = { request: Context; ctx: Ctx; at: PublicForm; visitor: Visitor | null; path: string };

export function publicForms(router: Router, runtime: Runtime): void {
  router.get("/f/:token", async (request) => {
    const call = await open(runtime, request);
    const { ctx, at, visitor, path } = call;
    const door = isClosed(ctx, at) ? "closed" : doorOf(ctx, at, visitor, "");
    if (door !== "open") return show(request, at, doorPage(door, at, call));
    show(request, at, formPage(at, { path, pass: "", sender: senderOf(call), typed: null }));
  });

  router.post("/f/:token", async (request) => {
    const call = await open(runtime, request);
    const sent = await readForm(request, runtime.settings.baseUrl, MOST_BYTES);
    if (sent.text("step") === "password") return enter(call, sent);
    await take(runtime, call, sent);
  });
}

async function open(runtime: Runtime, request: Context): Promise<Call> {
  request.state.operation = `page ${request.routerPath ?? "/f/:token"}`;
  request.set("Cache-Control", "no-store");
  const ctx = baseContext(runtime, { requestId: request.state.requestId });
  const at = (await locate(ctx, request.params.token)) ?? refuse("not_found", { message: "There is no such form." });
  return { request, ctx, at, visitor: await visitorOf(request, ctx), path: `/f/${request.params.token}` };
}

/** In whose name it is sent: whoever had to sign in, and members who are signed in anyway. */
function senderOf({ at: { form, workspace }, visitor }: Call): Visitor["user"] | null {
  return visitor && (form.access_mode !== "anyone" || isMember(visitor, workspace.id)) ? visitor.user : null;
}

/** The password's own step; the pass it earns goes along with the form. */
async function enter(call: Call, sent: Form): Promise<void> {
  const { request, ctx, at, visitor, path } = call;
  const door = isClosed(ctx, at) ? "closed" : doorOf(ctx, at, visitor, "");
  if (door !== "password" && door !== "open") return show(request, at, doorPage(door, at, call));
  try {
    await takeTurn(call);
    await limit(call, `form-password:${at.form.id}`, PASSWORDS_PER_MINUTE);
  } catch (error) {
    const { message, status, headers } = refusalOf(error);
    request.set(headers);
    return show(request, at, passwordPage(path, { message, status }));
  }
  const pass = await tryPassword(ctx, at.form, sent.text("password"));
  if (pass === null && door === "password") {
    return show(request, at, passwordPage(path, { message: "That is not the password.", status: 403 }));
  }
  show(request, at, formPage(at, { path, pass: pass ?? "", sender: senderOf(call), typed: null }));
}

/** Of one form, from all addresses together. */
const PASSWORDS_PER_MINUTE = 30;

async function take(runtime: Runtime, call: Call, sent: Form): Promise<void> {
  const { request, ctx, at, visitor, path } = call;
  const pass = sent.text("pass");
  const door = doorOf(ctx, at, visitor, pass);
  // Whether it is closed is asked while its row is held: a repeat of the last answer is no new one.
  if (door !== "open") return show(request, at, doorPage(door, at, call));

  try {
    await takeTurn(call);
    if (sent.text(TRAP) === "") await store(runtime, call, sent);
  } catch (error) {
    const refusal = refusalOf(error);
    request.set(refusal.headers);
    if (refusal.code === "form_closed") return show(request, at, doorPage("closed", at, call));
    const filled: Filled = { path, pass, sender: senderOf(call), typed: (name) => sent.all(name), refusal };
    return show(request, at, formPage(at, filled));
  }
  const { confirmation_mode, redirect_url } = at.form;
  if (confirmation_mode === "message" || redirect_url === null) return show(request, at, sentPage(at, path));
  request.redirect(redirect_url);
  request.status = 303;
}

/** One transaction, in the project's lane. @throws Refusal as submit */
async function store(runtime: Runtime, call: Call, sent: Form): Promise<void> {
  const { ctx, at } = call;
  const { form, workspace, project } = at;
  const { database, entities } = runtime;
  const actor = { id: form.id, kind: "form" as const, name: form.title };
  const sending = sendingOf(call, sent);
  const leave = await runtime.lanes.enter(project.id);
  try {
    await withRetries(() =>
      unitOfWork({ ...ctx, workspace, project, actor }, { database, entities, workspaceId: workspace.id }, (tx) =>
        submit(tx, sending),
      ),
    );
  } finally {
    leave();
  }
}

function sendingOf(call: Call, sent: Form): Sending {
  const { form } = call.at;
  const typed = (name: string, isList: boolean) => (isList ? sent.all(name) : (sent.all(name)[0] ?? ""));
  const answers = form.fields.map((field) => [field.id, typed(nameOf(form, field), field.kind === "multi_select")]);
  const email = sent.text(EMAIL) || null;
  const once = sent.text("once");
  return {
    formId: form.id,
    source: "public",
    answers: Object.fromEntries(answers),
    email,
    submitter: senderOf(call),
    // Gone back to and filled in otherwise, it is another sending.
    once: once
      ? createHash("sha256")
          .update(JSON.stringify([once, email, answers]))
          .digest()
      : null,
  };
}

/** @throws Refusal rate_limited */
const takeTurn = (call: Call): Promise<void> =>
  limit(call, `form:${networkOf(call.request.ip)}`, call.ctx.settings.forms.sendingsPerMinute);

async function limit({ ctx }: Call, key: string, most: number): Promise<void> {
  const taken = await ctx.ports.rateLimiter.take(key, 1, most);
  if (!taken || taken.allowed) return;
  refuse("rate_limited", {
    message: `Too much was sent within a minute. Wait ${taken.resetSeconds} seconds, then send it again.`,
    headers: { "Retry-After": String(taken.resetSeconds) },
  });
}
