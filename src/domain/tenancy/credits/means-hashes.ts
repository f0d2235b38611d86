import type { Ctx } from "../../kernel/context.ts";
import type { PaymentMeans } from "./credential.ts";

/**
 * Returns keyed hashes of the token or saved card that a credential pays with, the current key's first. Together with
 * the challenge, a hash identifies a repeated credential. Across purchases, it identifies a reused token.
 */
export const meansHashes = ({ ports }: Pick<Ctx, "ports">, means: PaymentMeans) =>
  ports.paymentHash(means.kind === "token" ? `token ${means.token}` : "saved card");
