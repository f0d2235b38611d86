/** The version of the API description. `npm run release-api` raises it; see docs/versioning.md. */
export const API_VERSION = "1.0.0";

/** The licence of the project: LICENSE has its text, package.json its name. */
export const LICENSE = { name: "MIT", url: "https://opensource.org/license/mit" };
