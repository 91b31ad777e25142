// Loaded before the service, with `node --import`: sends every span at once, as JSON, to OTEL_EXPORTER_OTLP_ENDPOINT.
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';

new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(new OTLPTraceExporter())] }).register();
