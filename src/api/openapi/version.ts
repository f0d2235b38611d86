/** The version of the API description. `npm run release-api` raises it; see docs/versioning.md. */
export const API_VERSION = "1.0.0";
