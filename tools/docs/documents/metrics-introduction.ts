/** Introduction of docs/metrics.md; tables and alerts are generated. */
export const metricsIntroduction = `# Metrics

<!-- Written by \`npm run docs\`: the text from tools/docs/documents/metrics-introduction.ts, the tables from the definitions in
packages/core/src/metrics, the alerts from deploy/prometheus/alerts.yaml. Do not edit. -->

The service exports Prometheus metrics. They contain no personal data, address, company, session or secret. Labels have few
values. Closed lists of values start at 0, so that the first failure is an increase.

- [\`deploy/grafana/latchkey-dashboard.json\`](../deploy/grafana/latchkey-dashboard.json) is a dashboard to import.
- [\`deploy/prometheus/alerts.yaml\`](../deploy/prometheus/alerts.yaml) has the alerts. The \`runbook_url\` of each links to its
  section below: replace \`https://example.com/latchkey/\` by the address of your copy of this page.
- [\`deploy/prometheus/scrape.yaml\`](../deploy/prometheus/scrape.yaml) configures Prometheus for both ways of scraping below.
- [\`deploy/prometheus/tests\`](../deploy/prometheus/tests/latchkey.yaml) has cases in which each alert fires and is silent.
  \`promtool test rules\` runs them.

**In Kubernetes.** The alerts select \`job="latchkey"\`. The usual discovery by the annotations \`prometheus.io/…\` names every
job \`kubernetes-pods\`. Use one of these instead; each makes every replica a target:

- for the Prometheus Operator, [\`podmonitor.yaml\`](../deploy/prometheus/podmonitor.yaml), which takes the job name from a label
  of the pods;
- for your own Prometheus, [\`scrape-kubernetes.yaml\`](../deploy/prometheus/scrape-kubernetes.yaml), which discovers the pods by
  their annotations.

## Scraping

**With the internal key**, on the main port. This is the default:

\`\`\`sh
curl http://localhost:3097/metrics -H "X-Internal-API-Key: $AUTH_INTERNAL_API_KEY"
curl http://localhost:3097/metrics -H "Authorization: Bearer $AUTH_INTERNAL_API_KEY"
\`\`\`

The second form is for Prometheus before 2.55, which cannot send custom headers. A service token with the scope \`internal:read\`
in \`X-Service-Token\` also works. Any other request gets 403 in the error envelope. A wrong key is recorded in the audit log, as
on [machine routes](http-api.md).

**On a separate port**, without a key:

\`\`\`sh
METRICS_PORT=9464 METRICS_HOST=0.0.0.0
\`\`\`

\`/metrics\` on \`PORT\` is then 404. \`METRICS_HOST\` defaults to \`127.0.0.1\`, because callers are not authenticated. Open it only
where nothing but Prometheus can reach the port, such as in a cluster whose Service does not publish it.

Scrape each replica, not a load balancer: each process counts its own work. The mail outbox is shared, so all replicas report the
same values for it: use \`max\`, not \`sum\`.

Outcomes are recorded at the point of decision. A request that is rejected earlier, such as an unreadable body or a rate-limited
address, appears only in the metrics of requests and of rate limits.

An unavailable dependency leaves a gap and never fails a scrape. Dependencies are checked every five seconds at most, for any
number of scrapers.

### In a host app

\`createAuthRouter\` includes \`GET /metrics\` behind the internal key. To serve it elsewhere, mount the handler, which does not
authenticate callers:

<!-- code: given auth, operations: import('express').Router -->

\`\`\`ts
import { metricsHandler } from '@latchkey/express-adapter';

operations.get('/metrics', metricsHandler(auth));
\`\`\`

\`auth.metrics.text()\` returns the text. To add metrics of your own to the response, use prom-client's
\`Registry.merge([auth.metrics.registry, yours])\`. Each \`auth\` has its own registry, so two in one process are counted separately,
and the global registry of prom-client is not used. If your app registers prom-client's default metrics too, keep the responses
separate, because some names are the same.

\`METRICS_PORT\` opens a port in the service only, not in a host app. It removes \`/metrics\` from the router there too, as does
\`createAuthRouter(auth, { metrics: false })\`.
`;
