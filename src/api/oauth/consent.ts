import type Provider from "oidc-provider";
import { answerRequest, DENIED, setAnswer } from "../../domain/access/oauth/answers.ts";
import { findClient } from "../../domain/access/oauth/clients.sql.ts";
import { approve, endOfGrant } from "../../domain/access/oauth/grants.ts";
import { grantedScopes, readScopes } from "../../domain/access/oauth/scopes.ts";
import { type Refusal, refuse } from "../../domain/kernel/errors.ts";
import { locateVisitor } from "../engine/access.ts";
import { type PageAnswer, problemBox, refusalOf, type SignedInCall, type Site } from "../pages/site/site.ts";
import { revoke } from "./adapter.ts";
import { type AuthorizationRequest, consentView } from "./consent-view.ts";
import { CONSENT_PATH, OAUTH_PATHS } from "./paths.ts";

/** The page on which a person decides what a program may do. The other pages handle sign-in. */

type Interaction = InstanceType<Provider["Interaction"]>;

export function consentPage(site: Site, provider: Provider): void {
  const path = `${CONSENT_PATH}/:uid`;
  site.signedIn("get", path, (call) => show(call), { mayLeave: true });
  site.signedIn("post", path, (call) => decide(call), { mayLeave: true });

  async function show(call: SignedInCall, refusal?: Refusal): Promise<PageAnswer> {
    const interaction = await interactionOf(call);
    if (!interaction) return startAnew(call);
    if (interaction.result) return { to: interaction.returnTo };
    const asked = await readRequest(call, interaction);
    const { form, query } = call;
    const workspace = form.text("workspace") || query("workspace");
    const problem = refusal && problemBox(refusal);
    const until = endOfGrant(call.ctx.now);
    const page = consentView({ ...asked, visitor: call.visitor, path: call.request.path, workspace, problem, until });
    return { ...page, status: refusal?.status ?? 200 };
  }

  async function decide(call: SignedInCall): Promise<PageAnswer> {
    const interaction = await interactionOf(call);
    if (!interaction) refuse("not_found", { message: OVER });
    try {
      if (call.form.text("decision") === "approve") await grant(call, interaction);
      else await deny(call, interaction.uid);
    } catch (error) {
      return show(call, refusalOf(error));
    }
    return { to: interaction.returnTo };
  }

  /** Creates the grant, at most one per authorization request. If the form is sent twice, the first answer stays. */
  async function grant(call: SignedInCall, interaction: Interaction): Promise<void> {
    if (interaction.result) return;
    const asked = await readRequest(call, interaction);
    const scopes = grantedScopes(asked.scopes, call.form.all("scope"));
    if (scopes.length === 0) refuse("validation_failed", { message: "Select at least one permission." });
    const here = await locateVisitor(site.runtime, call.visitor, call.form.text("workspace"), call.ctx);
    if (!here) refuse("validation_failed", { message: "Choose one of your workspaces." });
    const { clientId, name: clientName } = asked;
    await site.write(here, (ctx) =>
      answerRequest(ctx, interaction.uid, async () => ({
        login: { accountId: call.visitor.user.id, remember: false },
        consent: { grantId: await approve(ctx, { clientId, clientName, scopes }), scopes },
      })),
    );
  }

  /** Denying after approving withdraws the approval, if the program has not received it yet. */
  async function deny({ ctx, visitor: { user } }: SignedInCall, uid: string): Promise<void> {
    if (await site.begin(ctx, (tx) => answerRequest(tx, uid, async () => DENIED))) return;
    const { result } = (await provider.Interaction.find(uid)) ?? {};
    const { grantId } = (result?.consent ?? {}) as { grantId?: string };
    if (!grantId) return;
    await revoke(site.runtime, grantId, "user", { ...ctx, actor: { id: user.id, kind: "user", name: user.name } });
    await setAnswer(ctx, uid, DENIED);
  }

  /** The authorization request of this browser. The cookie and the address must name the same request. */
  async function interactionOf({ request, params }: SignedInCall): Promise<Interaction | null> {
    const interaction = await provider.interactionDetails(request.req, request.res).catch(() => null);
    return interaction?.uid === params.uid ? interaction : null;
  }

  /**
   * The request began in another browser, e.g. because a sign-in link was opened elsewhere. It starts again here with
   * the same parameters, and the person in this browser decides.
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

  async function readRequest({ ctx }: SignedInCall, { params }: Interaction): Promise<AuthorizationRequest> {
    const clientId = String(params.client_id);
    const client = await provider.Client.find(clientId).catch(() => undefined);
    if (!client)
      return refuse("not_found", { message: "The program is no longer registered. Start again from the program." });
    const registered = await findClient(ctx.db, clientId);
    const { known } = readScopes(String(params.scope ?? ""));
    return {
      clientId,
      name: client.clientName ?? clientId,
      redirectUri: String(params.redirect_uri),
      publishedAt: registered ? null : clientId,
      preferredWorkspace: registered?.workspace_slug ?? null,
      isApp: registered?.workspace_id != null,
      scopes: known,
    };
  }
}

const OVER = "This request has ended: it has expired or was already answered. Start again from the program.";
