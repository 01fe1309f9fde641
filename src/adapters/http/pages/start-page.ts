// The page at / where the portal is not built: how to build it, what runs here and how to use it. Shows no secrets:
// those are where the operator put them.

import { escapeHtml, page } from "../core/page.ts";

export interface StartPageFacts {
  readonly version: string;
  readonly publicUrl: string;
  readonly sandbox: boolean;
  readonly dataDir: string;
  readonly tableAsOf: Date;
  readonly providers: readonly string[];
}

export function startPage(facts: StartPageFacts): string {
  const url = escapeHtml(facts.publicUrl);
  const providers = facts.providers.length === 0 ? "none configured" : facts.providers.map(escapeHtml).join(", ");
  const source = facts.sandbox ? `source ${facts.dataDir}/demo.env` : "export TANDEM_ACCOUNT_SID=AC… TANDEM_TOKEN=…";
  return page(
    "Tandem",
    `<h1>Tandem <span class="soft">${escapeHtml(facts.version)}</span></h1>
<p>A phone platform that anyone can run. This one is up. Its portal is not built: <code>npm run build</code> builds it.</p>
<nav><a href="/docs">Documentation</a><a href="/docs/reference">API reference</a><a href="/swagger/v1/swagger.json">OpenAPI: everything</a><a href="/carrierLookup/swagger/v1/swagger.json">OpenAPI: lookup</a><a href="/messaging/swagger/v1/swagger.json">OpenAPI: messaging</a></nav>
<h2>What runs here</h2>
<table>
<tr><td>API</td><td><code>${url}</code></td></tr>
<tr><td>Carrier lookup</td><td>numbering table of ${facts.tableAsOf.toISOString().slice(0, 10)}; live providers: ${providers}</td></tr>
<tr><td>Outside world</td><td>${facts.sandbox ? "simulated (sandbox)" : "real"}</td></tr>
</table>
<h2>Sign in from curl</h2>
<p>HTTP Basic: the account sid and one of its tokens${facts.sandbox ? `, which <code>npm start</code> printed and wrote to <code>${escapeHtml(facts.dataDir)}/demo.env</code>` : ""}.</p>
<pre>${escapeHtml(source)}
curl -u "$TANDEM_ACCOUNT_SID:$TANDEM_TOKEN" ${url}/carrierLookup/v1/Numbers/+14155552671</pre>
<p>Operators sign in as <code>operator</code> with an operator token:</p>
<pre>curl -u "operator:$TANDEM_OPERATOR_TOKEN" ${url}/operator/v1/Accounts</pre>`,
  );
}
