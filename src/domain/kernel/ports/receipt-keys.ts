/** A public key as it is published (RFC 8037). */
export type Jwk = { kid: string; kty: "OKP"; crv: "Ed25519"; x: string; alg: "EdDSA"; use: "sig" };

/** Signs receipts and publishes the public keys that verify them. */
export type ReceiptKeys = {
  kid: string;
  /** Adds `kid` and `signature` to a flat object. */
  sign<Content extends Readonly<Record<string, string | number>>>(
    content: Content,
  ): Content & { kid: string; signature: string };
  /** The current key first, then the retired ones: receipts outlive the keys that signed them. */
  jwks(): Jwk[];
};
