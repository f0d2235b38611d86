import type Router from "@koa/router";
import type { Runtime } from "../../engine/call.ts";
import type { Operation } from "../../engine/operation.ts";
import { consentPage } from "../../oauth/consent.ts";
import type { OAuth } from "../../oauth/server.ts";
import { agentPages } from "../agents/index.ts";
import { assets } from "../assets.ts";
import { chatPages } from "../chat/index.ts";
import { docPages } from "../docs/index.ts";
import { goalPages } from "../goals/index.ts";
import { homePages } from "../home/index.ts";
import { issuePages } from "../issue/index.ts";
import { livePages } from "../live/index.ts";
import { operatePages } from "../operate/index.ts";
import { projectPages } from "../project/index.ts";
import { reportPages } from "../reports/index.ts";
import { openSite } from "../site/site.ts";
import { accountPages } from "./account.ts";
import { accountDeletionPages } from "./account-deletion.ts";
import { accountEmailPages } from "./account-email.ts";
import { billingPages } from "./billing.ts";
import { buyCreditsPages } from "./buy-credits.ts";
import { developerPages } from "./developer.ts";
import { frontPage } from "./front.ts";
import { invitationPages } from "./invitation.ts";
import { keyPages } from "./key.ts";
import { memberPages } from "./members.ts";
import { missingPages } from "./missing.ts";
import { newWorkspacePages } from "./new-workspace.ts";
import { saveCardPages } from "./save-card.ts";
import { sessionPages } from "./sessions.ts";
import { signInPages } from "./sign-in.ts";
import { unsubscribePage } from "./unsubscribe.ts";

/** All pages for people. */
export function peoplePages(router: Router, runtime: Runtime, operations: readonly Operation[], oauth: OAuth): void {
  assets(router);
  const site = openSite(router, runtime, operations);
  frontPage(router, site, operations);
  signInPages(site);
  accountPages(site);
  accountEmailPages(site);
  accountDeletionPages(site);
  sessionPages(site);
  unsubscribePage(site);
  // Before the pages of workspaces, because their slugs match the same paths below /w/.
  newWorkspacePages(site);
  livePages(router, runtime, operations);
  homePages(site);
  agentPages(site);
  memberPages(site);
  projectPages(site);
  reportPages(site);
  docPages(site);
  chatPages(site);
  goalPages(site);
  invitationPages(site);
  billingPages(site);
  buyCreditsPages(site);
  saveCardPages(site);
  developerPages(site);
  keyPages(site);
  operatePages(site);
  consentPage(site, oauth.provider);
  // Last, because an issue's key matches every path below a project.
  issuePages(site);
  missingPages(site);
}
