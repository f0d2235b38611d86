import type Router from "@koa/router";

/**
 * The pages to which the processor's page for saving a card returns. The card itself arrives with the processor's
 * notification.
 */
export function cardSetUpPages(router: Router): void {
  const end = (path: string, text: string) =>
    router.get(path, (ctx) => {
      ctx.type = "text/plain; charset=utf-8";
      ctx.body = `${text}\n`;
    });
  end("/billing/card/saved", "The card is saved. You can close this page; purchases may now use the saved card.");
  end("/billing/card/cancelled", "No card was saved. You can close this page.");
}
