import type Provider from "oidc-provider";
import { refuse } from "../../domain/errors.ts";
import type { Html } from "../../domain/html.ts";
import { findClient } from "../../domain/oauth/clients.sql.ts";
import { approve } from "../../domain/oauth/grants.ts";
import { useRecord } from "../../domain/oauth/records.ts";
import { chosen, readScopes } from "../../domain/oauth/scopes.ts";
import { locateVisitor } from "../../domain/people/sessions.ts";
import { contextOf } from "../engine/access.ts";
import { type PageAnswer, problemBox, refusalOf, type SignedInCall, type Site } from "../pages/people/site.ts";
import { type Asked, consentView } from "./consent-view.ts";
import { CONSENT_PATH, OAUTH_PATHS } from "./paths.ts";

/** The page on which a person decides what a program may do. Sign-in is the pages' own; this one only asks who is there. */

type Interaction = InstanceType<Provider["Interaction"]>;

export function consentPage(site: Site, provider: Provider): void {
  const path = `${CONSENT_PATH}/:uid`;
  site.signedIn("get", path, (call) => show(call), { mayLeave: true });
  site.signedIn("post", path, (call) => decide(call), { mayLeave: true });

  async function show(call: SignedInCall, problem?: Html): Promise<PageAnswer> {
    const interaction = await interactionOf(call);
    if (!interaction) return startAnew(call);
    const asked = await readAsked(call, interaction);
    const workspace = call.form.text("workspace") || call.query("workspace");
    return consentView({ ...asked, visitor: call.visitor, path: call.request.path, workspace, problem });
  }

  async function decide(call: SignedInCall): Promise<PageAnswer> {
    const interaction = await interactionOf(call);
    if (!interaction) refuse("not_found", { message: OVER });
    // Sent twice, or answered in another tab: the first answer stands.
    if (interaction.result) return { to: interaction.returnTo };
    if (call.form.text("decision") !== "approve") {
      return finish(call, { error: "access_denied", error_description: "the person said no" });
    }
    try {
      const { grantId, scopes } = await grant(call, interaction);
      interaction.params.scope = scopes.join(" ");
      await interaction.persist();
      return await finish(call, { login: { accountId: call.visitor.user.id, remember: false }, consent: { grantId } });
    } catch (error) {
      return show(call, problemBox(refusalOf(error)));
    }
  }

  /** Makes the grant, at most one for an authorization request. */
  async function grant(call: SignedInCall, interaction: Interaction) {
    const asked = await readAsked(call, interaction);
    const scopes = chosen(asked.scopes, call.form.all("scope"));
    if (scopes.length === 0) refuse("validation_failed", { message: "Tick at least one thing that it may do." });
    const located = await locateVisitor(call.ctx, call.visitor, call.form.text("workspace"));
    if (!located) refuse("validation_failed", { message: "Choose one of your workspaces." });
    const { clientId, name: clientName } = asked;
    const grantId = await site.write(contextOf(call.ctx, located), async (ctx) => {
      if (!(await useRecord({ ...ctx, db: ctx.tx }, "Interaction", interaction.uid)))
        refuse("not_found", { message: OVER });
      return approve(ctx, { clientId, clientName, scopes });
    });
    return { grantId, scopes };
  }

  async function finish({ request }: SignedInCall, result: Record<string, unknown>): Promise<PageAnswer> {
    return { to: await provider.interactionResult(request.req, request.res, result) };
  }

  /** The authorization request of this very browser: its cookie names it, and the address has to say the same. */
  async function interactionOf({ request, params }: SignedInCall): Promise<Interaction | null> {
    const interaction = await provider.interactionDetails(request.req, request.res).catch(() => null);
    return interaction?.uid === params.uid ? interaction : null;
  }

  /**
   * Another browser than the one that began, as when a sign-in link was opened elsewhere: the same request begins here
   * again. It is the program's own, and this browser's person is who decides.
   */
  async function startAnew({ params }: SignedInCall): Promise<PageAnswer> {
    const found = await provider.Interaction.find(params.uid ?? "");
    if (!found || found.result) return refuse("not_found", { message: OVER });
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(found.params)) {
      for (const one of [value].flat()) if (typeof one === "string") query.append(name, one);
    }
    return { to: `${OAUTH_PATHS.authorize}?${query}` };
  }

  async function readAsked({ ctx }: SignedInCall, { params }: Interaction): Promise<Asked> {
    const clientId = String(params.client_id);
    const client = await provider.Client.find(clientId).catch(() => undefined);
    if (!client)
      return refuse("not_found", { message: "The program is not registered any more; start anew from there." });
    const registered = await findClient(ctx.db, clientId);
    const { known } = readScopes(String(params.scope ?? ""));
    return {
      clientId,
      name: client.clientName ?? clientId,
      redirectUri: String(params.redirect_uri),
      publishedAt: registered ? null : clientId,
      wish: registered?.workspace_slug ?? null,
      scopes: known,
    };
  }
}

const OVER = "This request is over: it has expired or was answered already. Start anew from the program.";
