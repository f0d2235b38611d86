import type Router from "@koa/router";

/** Where the processor's page for saving a card leads back to. The card itself comes with the processor's notice. */
export function cardSetUpPages(router: Router): void {
  const end = (path: string, text: string) =>
    router.get(path, (ctx) => {
      ctx.type = "text/plain; charset=utf-8";
      ctx.body = `${text}\n`;
    });
  end("/billing/card/saved", "The card is saved. You can close this page; purchases may now use the saved card.");
  end("/billing/card/cancelled", "No card was saved. You can close this page.");
}
