import { audit } from "../../events/audit/audit.ts";
import { type Background, write } from "../../events/background.ts";
import type { InWorkspace, WithCredential } from "../../kernel/context.ts";
import { refuse } from "../../kernel/errors.ts";
import { CardsAway } from "../../kernel/ports/card-processor.ts";
import { creditErrors } from "./errors.ts";
import { cardSaved, cardSetupStarted } from "./events.ts";
import { readSavedCard, storeCard, storeCustomer } from "./saved-card.sql.ts";

/** Saves a card. A person enters it on the processor's own page, and later purchases charge it without them. */

/** The page where a person saves a card and authenticates with the bank. */
export const cardPage = ({ settings, workspace }: Pick<InWorkspace, "settings" | "workspace">) => ({
  action_url: `${settings.baseUrl}/w/${workspace.slug}/billing/card`,
  action_method: "GET",
});

/**
 * Creates a page of the processor for saving a card. Returns the URL for the person's browser. A key gets none: its program
 * could enter a card there, or send the address to anybody.
 * @throws Refusal person_required, payments_off, unavailable
 */
export async function setUpCard(ctx: Background & InWorkspace & WithCredential): Promise<{ url: string }> {
  if (ctx.credential.kind !== "session") refuse(creditErrors.person_required, cardPage(ctx));
  if (!ctx.settings.payments.enabled) refuse(creditErrors.payments_off, { headers: { "Retry-After": "3600" } });
  const { cards } = ctx.ports;
  const page = `${ctx.settings.baseUrl}/w/${ctx.workspace.slug}/billing`;
  try {
    let customer = (await readSavedCard(ctx.db, ctx.workspace.id))?.customer ?? (await newCustomer(ctx, null));
    for (let attempt = 1; attempt <= 2; attempt++) {
      const session = await cards.createSetupSession({
        customer,
        successUrl: `${page}?card=saved&since=${Date.parse(ctx.now)}`,
        cancelUrl: `${page}?card=cancelled`,
        metadata: { workspace_id: ctx.workspace.id },
      });
      if (session) {
        await write(ctx, ctx.workspace.id, async (tx) => audit(tx, cardSetupStarted, { id: null, name: null }));
        return { url: session.url };
      }
      customer = await newCustomer(ctx, customer);
    }
  } catch (error) {
    if (!(error instanceof CardsAway)) throw error;
  }
  return refuse("unavailable", {
    message: "The card processor cannot be reached right now.",
    headers: { "Retry-After": "5" },
  });
}

/** Creates a customer at the processor. @param gone the customer to replace, because the processor no longer has it */
async function newCustomer(ctx: Background & InWorkspace, gone: string | null): Promise<string> {
  const { workspace, principal } = ctx;
  const customer = await ctx.ports.cards.createCustomer({
    workspaceId: workspace.id,
    email: principal.user_email,
    name: workspace.name,
    instead: gone,
  });
  return storeCustomer(ctx.db, workspace.id, { customer, gone }, ctx.now);
}

/** Stores the card of a finished set-up. Returns whether it was stored. @throws CardsAway */
export async function saveCard(ctx: Background, workspaceId: string, setup: string): Promise<boolean> {
  const card = await ctx.ports.cards.readSetup(setup);
  if (card === null) return false;
  return write({ ...ctx, workspace: { id: workspaceId } }, workspaceId, async (tx) => {
    const stored = await storeCard(tx.tx, workspaceId, card, tx.now);
    if (stored)
      audit(
        tx,
        cardSaved,
        { id: null, name: `${card.brand} •••• ${card.last4}` },
        { exp_month: [null, card.expMonth], exp_year: [null, card.expYear] },
      );
    return stored;
  });
}
