/** The part of docs/metrics.md that no table and no rule tells. */
export const metricsIntroduction = `# Metrics

<!-- Written by \`npm run docs\`: the text from scripts/documents/metrics-introduction.ts, the tables from the definitions in
packages/core/src/metrics, the alerts from deploy/prometheus/alerts.yaml. Do not edit. -->

The service measures itself for Prometheus. Nothing in the metrics names a person, an address, a company, a session or a
secret: labels have few values, and those that are closed lists stand at 0 from the start, so that the first failure shows
as an increase.

[\`deploy/grafana/latchkey-dashboard.json\`](../deploy/grafana/latchkey-dashboard.json) is a dashboard to import,
[\`deploy/prometheus/alerts.yaml\`](../deploy/prometheus/alerts.yaml) has alerts, and
[\`deploy/prometheus/scrape.yaml\`](../deploy/prometheus/scrape.yaml) the configuration of Prometheus for both ways below.
Each alert has cases in which it fires and in which it is silent, in
[\`deploy/prometheus/tests\`](../deploy/prometheus/tests/latchkey.yaml): \`promtool test rules\` runs them. The \`runbook_url\` of
each leads to its section below; put the address of your copy of this page in place of \`https://example.com/latchkey/\`.

**In Kubernetes.** The alerts look for \`job="latchkey"\`. The usual discovery by the annotations \`prometheus.io/…\` calls every
job \`kubernetes-pods\`, so take one of these instead: for the Prometheus Operator
[\`podmonitor.yaml\`](../deploy/prometheus/podmonitor.yaml), whose \`jobLabel\` names the label of the pods; for a Prometheus of
your own [\`scrape-kubernetes.yaml\`](../deploy/prometheus/scrape-kubernetes.yaml), which finds the pods by their annotations
under the right name. Each replica is a target of its own in both.

## How to scrape

**With the internal key**, on the port of everything else. This is so unless you say otherwise:

\`\`\`sh
curl http://localhost:3097/metrics -H "X-Internal-API-Key: $AUTH_INTERNAL_API_KEY"
curl http://localhost:3097/metrics -H "Authorization: Bearer $AUTH_INTERNAL_API_KEY"
\`\`\`

The second form is for Prometheus before 2.55, which cannot send headers of your choice. A service token with the scope
\`internal:read\` in \`X-Service-Token\` will do as well. Everything else is answered with 403 in the envelope, and a key that
is wrong is written to the audit log, as on [machine routes](http-api.md).

**On a port of their own**, without a key:

\`\`\`sh
METRICS_PORT=9464 METRICS_HOST=0.0.0.0
\`\`\`

\`/metrics\` on \`PORT\` is then not found. \`METRICS_HOST\` is \`127.0.0.1\` unless you say otherwise, because nobody is asked who
they are: open it only where no one but Prometheus can reach the port, as in a cluster whose Service does not publish it.

Scrape each replica by itself, not through a load balancer: each process counts what it did. What all replicas read in the
same place, the outbox of mail, has the same value in each of them: take \`max\`, not \`sum\`.

Outcomes are taken where they are decided. What is refused before that, such as a body that cannot be read or an address
that has asked too often, shows in the requests and in the decisions of the limits only.

A dependency that is away leaves a gap and never fails a scrape. Dependencies are asked every five seconds at most, however
many scrape.

### In a host app

\`createAuthRouter\` brings \`GET /metrics\` along, behind the internal key. To offer it elsewhere, mount the handler, which
asks nobody who they are:

<!-- code: given auth, operations: import('express').Router -->

\`\`\`ts
import { metricsHandler } from '@latchkey/express-adapter';

operations.get('/metrics', metricsHandler(auth));
\`\`\`

\`auth.metrics.text()\` gives the text itself. Metrics of your own live beside it in one answer through prom-client's
\`Registry.merge([auth.metrics.registry, yours])\`. Each \`auth\` has a registry of its own, so two in one process do not count
for each other, and nothing is put into prom-client's global one. If your app registers prom-client's default metrics too,
keep the answers apart: some names are the same. \`METRICS_PORT\` opens a port in the service only, not in a host app, but it
takes \`/metrics\` out of the router there too, and so does \`createAuthRouter(auth, { metrics: false })\`.
`;
