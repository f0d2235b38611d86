import Router from "@koa/router";

/** The routes of pages, as they are added. Import this before the first `world()`. */

export type PageRoute = { method: "GET" | "POST"; path: string; names: string[] };

const routes: PageRoute[] = [];
const { register } = Router.prototype;

Router.prototype.register = function (this: Router, path, methods, ...rest) {
  const method = methods.map((name) => name.toUpperCase()).find((name) => name === "GET" || name === "POST");
  if (typeof path === "string" && method !== undefined) {
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
    // Each file of this process starts an app, which adds all of its routes again.
    if (!routes.some((one) => one.method === method && one.path === path))
      routes.push({ method: method as PageRoute["method"], path, names });
  }
  return register.call(this, path, methods, ...rest);
} as typeof register;

/** Those of a workspace's pages. */
export const workspaceRoutes = (): PageRoute[] => routes.filter(({ path }) => path.startsWith("/w/:slug"));

/** Those that receive forms, of all pages for people. */
export const formRoutes = (): PageRoute[] =>
  routes.filter(({ method, path }) => method === "POST" && /^\/(w|account|sign|invite)\b/.test(path));

/** The path of a route with these values, which are encoded. */
export const filled = ({ path }: PageRoute, value: (name: string) => string): string =>
  path.replaceAll(/:(\w+)/g, (_, name) => encodeURIComponent(value(name)));
