export type PaymentOptions = { pay: () => Promise<{ shared_payment_token: string } | { use_saved_card: true }> };
