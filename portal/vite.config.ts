// Builds the portal into dist/portal, from where the server serves it. While developing, `npx vite` in this folder
// serves it with a running server behind it (TANDEM_URL, by default http://localhost:8080).

import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import portal from "./package.json" with { type: "json" };

const server = process.env.TANDEM_URL ?? "http://localhost:8080";
const served = ["/v1", "/messaging/v1", "/carrierLookup/v1", "/testkit/v1", "/operator/v1", "/openapi.json", "/docs"];

export default defineConfig({
  plugins: [react()],
  // The SDK is its source here, not the package that is published.
  resolve: { tsconfigPaths: true },
  define: { __VERSION__: JSON.stringify(portal.version) },
  build: {
    outDir: "../dist/portal",
    emptyOutDir: true,
    target: "es2023",
    // No data: URLs and no inline scripts, so that the policy of the page can forbid them.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: Object.fromEntries(served.map((path) => [path, server])) },
});
