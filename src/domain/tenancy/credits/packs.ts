/** What is for sale: the spec's table "Credit packs". The list price of a credit is one cent. */

export const PACK_NAMES = ["small", "medium", "large", "custom"] as const;
export type PackName = (typeof PACK_NAMES)[number];

/** Limits of a custom purchase. */
export const CUSTOM_CREDITS = { min: 500, max: 50_000 } as const;

/** `custom` has the smallest size that can be bought, which discovery advertises. */
export const PACKS: Readonly<Record<PackName, { credits: number; amountCents: number; note: string | null }>> = {
  small: { credits: 2_000, amountCents: 2_000, note: null },
  medium: { credits: 5_500, amountCents: 5_000, note: "9% bulk discount" },
  large: { credits: 12_000, amountCents: 10_000, note: "17% bulk discount" },
  custom: { credits: CUSTOM_CREDITS.min, amountCents: CUSTOM_CREDITS.min, note: "list price" },
};

/** A pack with its size and price. The description is ASCII, because it is sent in a header. */
export type Pack = { pack: PackName; credits: number; amountCents: number; description: string };

/**
 * Returns the pack with its size and price. `credits` is only for `custom`, at one cent each.
 * @throws RangeError for credits that cannot be bought. The caller validates the buyer's input first.
 */
export function packOf(pack: PackName, credits?: number): Pack {
  if (pack !== "custom") {
    if (credits !== undefined) throw new RangeError(`The ${pack} pack has a fixed size.`);
    return { pack, ...sizeOf(pack), description: describe(PACKS[pack].credits) };
  }
  if (
    credits === undefined ||
    !Number.isInteger(credits) ||
    credits < CUSTOM_CREDITS.min ||
    credits > CUSTOM_CREDITS.max
  )
    throw new RangeError(`Custom credits are a whole number from ${CUSTOM_CREDITS.min} to ${CUSTOM_CREDITS.max}.`);
  return { pack, credits, amountCents: credits, description: describe(credits) };
}

/** Returns what discovery shows of a pack. `amount` is in cents, as a string. */
export function advertised(pack: PackName): { amount: string; description: string; note: string | null } {
  const { credits, amountCents, note } = PACKS[pack];
  const description =
    pack === "custom" ? `${CUSTOM_CREDITS.min} to ${CUSTOM_CREDITS.max} AI credits, 1 cent each` : describe(credits);
  return { amount: String(amountCents), description, note };
}

const sizeOf = (pack: PackName) => ({ credits: PACKS[pack].credits, amountCents: PACKS[pack].amountCents });
const describe = (credits: number) => `${credits} AI credits`;
