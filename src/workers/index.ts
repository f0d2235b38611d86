import { cleanUpWorker } from "./clean-up.ts";
import { collectFilesWorker } from "./collect-files.ts";
import { confirmPaymentWorker } from "./confirm-payment.ts";
import { deliverWebhookWorker } from "./deliver-webhook.ts";
import { saveCardWorker } from "./save-card.ts";
import { sendEmailWorker } from "./send-email.ts";
import { settlePaymentsWorker } from "./settle-payments.ts";
import { sweepWorker } from "./sweep.ts";
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
