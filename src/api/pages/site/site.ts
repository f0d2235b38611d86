import type Router from "@koa/router";
import type { Context } from "koa";
import { readOwnPath } from "../../../domain/access/sign-in/own-path.ts";
import type { Visitor } from "../../../domain/access/sign-in/sessions.ts";
import { unitOfWork } from "../../../domain/events/unit-of-work.ts";
import type { Ctx, InWorkspace, Warning, WithCredential, Writing } from "../../../domain/kernel/context.ts";
import { busyRefusal, Refusal, refuse } from "../../../domain/kernel/errors.ts";
import { contentDisposition } from "../../../domain/kernel/files/content-disposition.ts";
import { type Html, html } from "../../../domain/kernel/html.ts";
import { own } from "../../../domain/kernel/own.ts";
import { Busy } from "../../../domain/kernel/ports/ports.ts";
import { locateVisitor } from "../../engine/access.ts";
import { baseContext, type Runtime } from "../../engine/call.ts";
import type { Operation } from "../../engine/operation.ts";
import { callerOf } from "../../http/caller.ts";
import { type Live, streamPath } from "../live/concerns.ts";
import { errorLines, focusedOnProblem, PROBLEM_ID } from "./field-state.ts";
import { type Form, MAX_KEPT_BYTES, MAX_TEXT_BYTES, NO_FORM, receiveForm } from "./forms.ts";
import { layout, notice } from "./layout.ts";
import { type Perform, type PerformFile, type PerformList, type PerformPicture, performing } from "./perform.ts";
import { refusalPage } from "./refusal-page.ts";
import { wordsOf } from "./refusal-words.ts";
import { heard, say } from "./said.ts";
import { secure } from "./secure.ts";
import { signedOut } from "./signed-out.ts";
import { typedAgain } from "./typed-again.ts";
import { NO_MENU, type Notifying, withUnread } from "./unread.ts";
import { visitorOf } from "./visitors.ts";
import { inZoneOf } from "./zone.ts";

/** The framework of pages for people: visitors, permissions, layout and errors. */

/** A page, or a path or address to redirect to. The next page shows `said`, and the warnings of what was changed. */
export type PageAnswer = Page | PageFile | { to: string; said?: string };
export type Page = Notifying & {
  title: string;
  body: Html;
  status?: number;
  /** After a conflict the page itself decides what of both it shows. */
  merges?: boolean;
  /** For boards and tables: as wide as the window. */
  wide?: boolean;
  /** What the page shows: when it changes, the page is loaded again. Left out: it stays as it was loaded. */
  live?: Live;
  /** Origins of the images that it shows, if they are not this service's. */
  images?: readonly string[];
};
/** A file to keep, or without a name a picture to show. */
export type PageFile = { file: Buffer; type: string; name?: string };

export type PageCall = {
  request: Context;
  ctx: Ctx;
  visitor: Visitor | null;
  params: Record<string, string>;
  query: (name: string) => string;
  /** Empty on GET. */
  form: Form;
  /** Of the operations that the page has performed. */
  warnings: Warning[];
};
export type SignedInCall = PageCall & { visitor: Visitor };
/** On a workspace's page. `here` is the visitor's context in the workspace. */
export type WorkspaceCall = SignedInCall & { here: InWorkspace & WithCredential };

export type Site = {
  runtime: Runtime;
  /** A page for everyone. */
  open(method: Method, path: string, handle: (call: PageCall) => Promise<PageAnswer>, options?: PageOptions): void;
  /** A page that requires sign-in. */
  signedIn(
    method: Method,
    path: string,
    handle: (call: SignedInCall) => Promise<PageAnswer>,
    options?: PageOptions,
  ): void;
  /** A page below `/w/:slug` for members. Others get 404. */
  workspace(
    method: Method,
    path: string,
    handle: (call: WorkspaceCall) => Promise<PageAnswer>,
    options?: PageOptions,
  ): void;
  /** Runs one transaction as the visitor in their workspace. */
  write<T>(
    here: InWorkspace & WithCredential,
    work: (ctx: InWorkspace & WithCredential & Writing) => Promise<T>,
    settings?: string,
  ): Promise<T>;
  /** Runs one transaction outside workspaces, e.g. to sign in or to create a workspace. */
  begin<T>(ctx: Ctx, work: (ctx: Ctx & Writing) => Promise<T>): Promise<T>;
  /** Runs an API operation as the visitor (perform.ts). */
  perform: Perform;
  list: PerformList;
  picture: PerformPicture;
  file: PerformFile;
};

type Method = "get" | "post";
export type PageOptions = {
  mayLeave?: boolean;
  /** Programs send this form, too, in any format, and its fields do not matter. The path itself proves the right. */
  ignoresForm?: boolean;
  /** The handler reads the form, which has files. */
  hasFiles?: boolean;
  /** Of the form. */
  maxBytes?: number;
};

const mostBytes = (here: object | undefined): number => (here ? MAX_TEXT_BYTES : MAX_KEPT_BYTES);

export function openSite(router: Router, runtime: Runtime, operations: readonly Operation[]): Site {
  const { baseUrl } = runtime.settings;

  const add: Site["open"] = (method, path, handle, options = {}) => {
    const { mayLeave = false } = options;
    router[method](path, async (request) => {
      request.state.operation = `page ${path}`;
      // Pages outside of workspaces have no scripts.
      const inWorkspace = request.params.slug !== undefined;
      secure(request, { mayLeave, live: inWorkspace });
      const ctx = baseContext(runtime, callerOf(request));
      const visitor = await visitorOf(request, ctx);
      const here = visitor?.workspaces.find(({ slug }) => slug === request.params.slug);
      const shell = { visitor, here, path: request.path };
      const warnings: Warning[] = [];
      let sent = NO_FORM;
      const answer = await answerTo(request, visitor, async () => {
        // No object's name contains NUL, and Postgres rejects it.
        if (Object.values(request.params).some((value) => String(value).includes("\0"))) return refuse("not_found");
        const form =
          method === "post"
            ? await receiveForm(request, baseUrl, { ...(inWorkspace ? { maxBytes: mostBytes(here) } : {}), ...options })
            : NO_FORM;
        sent = form;
        const query = (name: string) => String(own(request.query, name) ?? "").replaceAll("\0", "");
        const call = { request, ctx, visitor, params: request.params, query, form, warnings };
        return inZoneOf(visitor, here, () => handle(call));
      });
      // 303: the browser loads the next page with GET.
      if ("to" in answer) {
        say(request, baseUrl, answer.said, warnings);
        request.redirect(answer.to);
        request.status = 303;
        return;
      }
      if ("file" in answer) {
        request.type = answer.type;
        if (answer.name !== undefined) request.set("Content-Disposition", contentDisposition(answer.name));
        // A file must not run scripts on this site, however a browser opens it. A picture has styles of its own.
        const styles = answer.name === undefined ? " style-src 'unsafe-inline';" : "";
        request.set("Content-Security-Policy", `default-src 'none';${styles} sandbox`);
        request.body = answer.file;
        return;
      }
      if (answer.images?.length) secure(request, { mayLeave, live: inWorkspace, images: answer.images });
      request.status = answer.status ?? 200;
      request.type = "text/html; charset=utf-8";
      const isPage = method === "get";
      // The script that keeps pages current leaves what is said to the person's next page.
      const said = isPage && request.get("sec-fetch-dest") !== "empty" ? heard(request, baseUrl) : "";
      // A refused form is not a page that can be loaded again.
      const live = isPage && here && answer.live ? streamPath(here.slug, answer.live, ctx.now) : undefined;
      const shown = layout({ ...shell, ...answer, said, live });
      const isConflict = request.status === 412;
      const again = () =>
        here && !(isConflict && answer.merges) ? typedAgain(shown, request.path, sent, isConflict) : shown;
      request.body = isPage ? shown : focusedOnProblem(again());
    });
  };

  const site: Site = {
    runtime,
    open: add,
    signedIn: (method, path, handle, options) =>
      add(
        method,
        path,
        async (call) => {
          const { visitor, request } = call;
          if (visitor) return handle({ ...call, visitor });
          if (method === "post" && call.params.slug !== undefined) return signedOut(call);
          const here = method === "get" ? readOwnPath(request.url) : null;
          return { to: `/sign-in?return_to=${encodeURIComponent(here ?? "/w")}` };
        },
        options,
      ),
    workspace: (method, path, handle, options) =>
      site.signedIn(
        method,
        path,
        async (call) => {
          const here = await locateVisitor(runtime, call.visitor, call.params.slug ?? "", call.ctx);
          if (!here) return refuse("not_found");
          const inside = { ...call, here };
          const isRead = method === "get" && !NO_MENU.test(path);
          return withUnread(site, inside, handle(inside), isRead);
        },
        options,
      ),
    write: (here, work, settings) => {
      const { database, entities } = runtime;
      return unitOfWork(here, { database, entities, workspaceId: here.workspace.id, settings }, (ctx) => {
        here.warnings.length = 0;
        return work(ctx);
      });
    },
    begin: (ctx, work) => {
      const { database, entities } = runtime;
      return unitOfWork(ctx, { database, entities, workspaceId: null }, work);
    },
    ...performing(runtime, operations),
  };
  return site;
}

/** The error to show above a form. Other errors are thrown on. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof Busy) return busyRefusal();
  throw error;
}

/** A message box with an error and the fields concerned. */
export function problemBox(refusal: Refusal): Html {
  const lines = errorLines(refusal);
  return notice(
    "bad",
    html`<p id="${PROBLEM_ID}">${lines.length > 0 ? "That did not work:" : wordsOf(refusal).text}</p>${
      lines.length > 0 ? html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>` : ""
    }`,
  );
}

async function answerTo(
  request: Context,
  visitor: Visitor | null,
  work: () => Promise<PageAnswer>,
): Promise<PageAnswer> {
  try {
    return await work();
  } catch (error) {
    const refusal = refusalOf(error);
    request.set(refusal.headers);
    return { ...refusalPage({ refusal, request, visitor }), status: refusal.status };
  }
}
