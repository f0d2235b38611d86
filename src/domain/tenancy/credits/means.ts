import type { Ctx } from "../../kernel/context.ts";
import type { PaymentMeans } from "./credential.ts";

/**
 * What a credential pays with, as keyed hashes: the current key's first. With the challenge it tells the same credential
 * again; among purchases it tells the same token.
 */
export const meansHashes = ({ ports }: Pick<Ctx, "ports">, means: PaymentMeans) =>
  ports.paymentHash(means.kind === "token" ? `token ${means.token}` : "saved card");
