import { cleanUpWorker } from "./delivery/clean-up.ts";
import { collectFilesWorker } from "./delivery/collect-files.ts";
import { deliverWebhookWorker } from "./delivery/deliver-webhook.ts";
import { sendEmailWorker } from "./delivery/send-email.ts";
import { sweepWorker } from "./sweep.ts";
import { confirmPaymentWorker } from "./tenancy/confirm-payment.ts";
import { saveCardWorker } from "./tenancy/save-card.ts";
import { settlePaymentsWorker } from "./tenancy/settle-payments.ts";
import type { WorkerFile } from "./worker.ts";

/** Every worker file; start-up refuses a queue without one. */
export const workers: readonly WorkerFile[] = [
  deliverWebhookWorker,
  confirmPaymentWorker,
  saveCardWorker,
  sendEmailWorker,
  settlePaymentsWorker,
  sweepWorker,
  cleanUpWorker,
  collectFilesWorker,
];
