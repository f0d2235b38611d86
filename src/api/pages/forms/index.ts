import { createHash } from "node:crypto";
import type Router from "@koa/router";
import type { Context } from "koa";
import type { Visitor } from "../../../domain/access/sign-in/sessions.ts";
import { unitOfWork } from "../../../domain/events/unit-of-work.ts";
import { wideNetworkOf } from "../../../domain/kernel/addresses.ts";
import type { Ctx } from "../../../domain/kernel/context.ts";
import { waitInWords } from "../../../domain/kernel/counted.ts";
import { Refusal, refuse } from "../../../domain/kernel/errors.ts";
import { takeFromNetwork } from "../../../domain/kernel/network-limit.ts";
import { formErrors } from "../../../domain/work/forms/errors.ts";
import { discardFiles, storeFiles } from "../../../domain/work/forms/files.ts";
import type { PublicForm } from "../../../domain/work/forms/public.sql.ts";
import { accessOf, isClosed, isMember, locate, tryPassword } from "../../../domain/work/forms/public.ts";
import type { FormField } from "../../../domain/work/forms/rows.ts";
import { SentFile } from "../../../domain/work/forms/sent-file.ts";
import { type SubmissionRequest, submitPublicly } from "../../../domain/work/forms/submit.ts";
import { baseContext, type Runtime } from "../../engine/call.ts";
import { callerOf } from "../../http/caller.ts";
import { hangUp } from "../../http/hang-up.ts";
import { limitBody } from "../../http/time-limit.ts";
import { refusalOf } from "../site/site.ts";
import { visitorOf } from "../site/visitors.ts";
import { EMAIL, formPage, TRAP } from "./body.ts";
import { nameOf } from "./fields.ts";
import { type Page, show } from "./layout.ts";
import { blockedPage, passwordPage, sentPage } from "./other-pages.ts";
import { type Sent, withSent } from "./sent.ts";

/** The public pages of forms. They need no script and no account. */

const FORMS = "/f/";
/** Time limit for submitting an answer with files. */
const FILES_MS = 600_000;

type Call = { request: Context; ctx: Ctx; at: PublicForm; visitor: Visitor | null; path: string };

export function publicForms(router: Router, runtime: Runtime): void {
  router.get(`${FORMS}:token`, async (request) => {
    const call = await open(runtime, request);
    show(request, call.at, await pageFor(call));
  });

  router.post(`${FORMS}:token`, async (request) => {
    const call = await open(runtime, request);
    const answer = await post(runtime, call);
    if ("title" in answer) return show(request, call.at, answer);
    request.redirect(answer.to);
    request.status = 303;
  });
}

async function pageFor(call: Call): Promise<Page> {
  const { ctx, at, visitor, path } = call;
  const access = isClosed(ctx, at) ? "closed" : accessOf(ctx, at, visitor, "");
  if (access !== "open") return blockedPage(access, at, call);
  return formPage(at, { path, pass: "", sender: senderOf(call), typed: null });
}

async function post(runtime: Runtime, call: Call): Promise<Page | { to: string }> {
  const { request, ctx, at } = call;
  const limited = await limitSubmissions(call);
  if (limited && request.is("multipart")) {
    // Otherwise its files would be read for nothing.
    hangUp(request);
    return refused(call, limited, null);
  }
  if (request.is("multipart")) limitBody(request.req, request.res, FILES_MS);
  return withSent(request, ctx, at, async (sent) => {
    if (limited) return refused(call, limited, sent);
    return sent.text("step") === "password" ? enter(call, sent) : take(runtime, call, sent);
  });
}

async function open(runtime: Runtime, request: Context): Promise<Call> {
  request.state.operation = "page /f/:token";
  request.set("Cache-Control", "no-store");
  const ctx = baseContext(runtime, callerOf(request));
  const limited = await limit(ctx, "form-read", request, ctx.settings.forms.readsPerMinute);
  if (limited) throw limited;
  const at = (await locate(ctx, request.params.token)) ?? refuse("not_found", { message: "There is no such form." });
  return { request, ctx, at, visitor: await visitorOf(request, ctx), path: `${FORMS}${request.params.token}` };
}

/** The person who submits: a person who had to sign in, or a member who is signed in anyway. */
function senderOf({ at: { form, workspace }, visitor }: Call): Visitor["user"] | null {
  return visitor && (form.access_mode !== "anyone" || isMember(visitor, workspace.id)) ? visitor.user : null;
}

/** Checks the password. The pass that it returns is sent along with the form. */
async function enter(call: Call, sent: Sent): Promise<Page> {
  const { request, ctx, at, visitor, path } = call;
  const access = isClosed(ctx, at) ? "closed" : accessOf(ctx, at, visitor, "");
  if (access !== "password") return pageFor(call);
  const network = wideNetworkOf(request.ip);
  try {
    const pass = await tryPassword(ctx, at, { password: sent.all("password")[0] ?? "", network });
    if (pass === null) return passwordPage(path, { message: "That is not the password.", status: 403 });
    return formPage(at, { path, pass, sender: senderOf(call), typed: null });
  } catch (error) {
    return refused(call, refusalOf(error), sent);
  }
}

/** The form with its errors and all entered values, if the person may see the form. */
async function refused(call: Call, refusal: Refusal, sent: Sent | null): Promise<Page> {
  const { request, ctx, at, visitor, path } = call;
  request.set(refusal.headers);
  if (refusal.is(formErrors.form_closed, "archived")) return blockedPage("closed", at, call);
  const { message, status } = refusal;
  const pass = sent?.text("pass") ?? "";
  const access = accessOf(ctx, at, visitor, pass);
  if (access === "password") return passwordPage(path, { message, status });
  if (access !== "open") return blockedPage(access, at, call);
  return formPage(at, { path, pass, sender: senderOf(call), typed: sent && typedIn(sent), refusal });
}

/** The values entered in a field. For a file its name, because browsers do not refill file inputs. */
const typedIn = (sent: Sent) => (name: string) => {
  const file = sent.file(name);
  return file ? [file.fileName] : sent.all(name);
};

async function take(runtime: Runtime, call: Call, sent: Sent): Promise<Page | { to: string }> {
  const { ctx, at, visitor, path } = call;
  const access = accessOf(ctx, at, visitor, sent.text("pass"));
  // Whether the form is closed is checked under the row's lock, because a repeat of the last answer does not count as
  // a new one.
  if (access !== "open") return blockedPage(access, at, call);
  try {
    if (sent.text(TRAP) === "") await store(runtime, call, sent);
  } catch (error) {
    return refused(call, refusalOf(error), sent);
  }
  const { confirmation_mode, redirect_url } = at.form;
  return confirmation_mode === "redirect" && redirect_url !== null ? { to: redirect_url } : sentPage(at, path);
}

/**
 * Stores the files first, then submits in one transaction, which waits for others of the project.
 * @throws Refusal as submitPublicly and storeFiles
 */
async function store(runtime: Runtime, call: Call, sent: Sent): Promise<void> {
  const { ctx, at } = call;
  const { form, workspace, project } = at;
  const { database, entities } = runtime;
  const actor = { id: form.id, kind: "form" as const, name: form.title };
  const here = { ...ctx, database, entities, workspace, project, actor };
  const sending = sendingOf(call, sent);
  const files = await storeFiles(here, form, sending.answers);
  const work = { database, entities, workspaceId: workspace.id, target: { resource: project.id } };
  try {
    const taken = await unitOfWork(here, work, (tx) => submitPublicly(tx, form.id, { ...sending, files }));
    if ("repeated" in taken) await discardFiles(here, files);
  } catch (error) {
    await discardFiles(here, files);
    throw error;
  }
}

function sendingOf(call: Call, sent: Sent): Omit<SubmissionRequest, "files"> {
  const { form } = call.at;
  const valueOfField = (field: FormField) => {
    const name = nameOf(form, field);
    if (field.kind === "file") return sent.file(name);
    return field.kind === "multi_select" ? sent.all(name) : (sent.all(name)[0] ?? "");
  };
  const answers = form.fields.map((field) => [field.id, valueOfField(field)] as const);
  const said = answers.map(([id, value]) => [id, value instanceof SentFile ? [value.fileName, value.sha256] : value]);
  const email = sent.text(EMAIL) || null;
  const once = sent.text("once");
  return {
    source: "public",
    answers: Object.fromEntries(answers),
    email,
    submitter: senderOf(call),
    // A form that is sent again with other values is a new submission.
    once: once
      ? createHash("sha256")
          .update(JSON.stringify([once, email, said]))
          .digest()
      : null,
  };
}

const limitSubmissions = (call: Call): Promise<Refusal | null> =>
  limit(call.ctx, "form", call.request, call.ctx.settings.forms.sendingsPerMinute);

async function limit({ ports }: Ctx, name: string, { ip }: Context, max: number): Promise<Refusal | null> {
  const taken = await takeFromNetwork(ports.rateLimiter, name, ip, max);
  if (!taken || taken.allowed) return null;
  return new Refusal("rate_limited", {
    message: `Too many requests within a minute. Wait ${waitInWords(taken.resetSeconds)}, then try again.`,
    headers: { "Retry-After": String(taken.resetSeconds) },
  });
}
