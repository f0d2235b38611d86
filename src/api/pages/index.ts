import type Router from "@koa/router";
import type { Settings } from "../../domain/kernel/settings.ts";
import { discoveryPages } from "../discovery/discovery.ts";
import type { Runtime } from "../engine/call.ts";
import type { Operation } from "../engine/operation.ts";
import type { OAuth } from "../oauth/server.ts";
import { toolServer } from "../tools/tool-server.ts";
import { cardNotices } from "./card-notices.ts";
import { commitHooks } from "./commit-hooks.ts";
import { designPage } from "./design.ts";
import { devMailboxPages } from "./dev-mailbox.ts";
import { filePages } from "./files.ts";
import { publicForms } from "./forms/index.ts";
import { type HealthOptions, healthPages } from "./health.ts";
import { peoplePages } from "./people/index.ts";
import { problemPages } from "./problems.ts";
import { referencePages } from "./reference/index.ts";

export type PagesOptions = HealthOptions & {
  settings: Settings;
  operations: readonly Operation[];
  runtime: Runtime;
  /** Folder of captured mail. Development only. */
  mailboxFolder: string | undefined;
  oauth: OAuth;
  /** Called with the key of each tool call, to record its use. */
  onCaller: (keyId: string, address: string) => void;
  /** Whether an error means that Postgres or Redis is unavailable. */
  isUnavailable: (error: unknown) => boolean;
};

/** All routes that are not operations: health, metrics, documents and pages. */
export function pages(options: PagesOptions): (router: Router) => void {
  return (router) => {
    healthPages(router, options);
    problemPages(router, options.operations, options.settings.baseUrl);
    cardNotices(options.runtime)(router);
    commitHooks(options.runtime)(router);
    filePages(options.runtime)(router);
    peoplePages(router, options.runtime, options.operations, options.oauth);
    publicForms(router, options.runtime);
    if (options.mailboxFolder) {
      devMailboxPages(router, options.mailboxFolder, options.settings.baseUrl);
      designPage(router);
    }
    const { receipts } = options.runtime.ports;
    discoveryPages({
      baseUrl: options.settings.baseUrl,
      method: options.settings.payments.method,
      operations: options.operations,
      signingKeys: () => receipts.jwks(),
    })(router);
    toolServer(options)(router);
    referencePages(router, options.settings.baseUrl);
  };
}
