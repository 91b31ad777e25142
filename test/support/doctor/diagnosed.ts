import { diagnose, type CheckReport, type DiagnosisRequest } from '@latchkey/core/administration';
import { inspectSettings } from '@latchkey/core/settings';

/** What a diagnosis says under each id, with these settings and nothing else. */
export async function diagnosed(
  source: Record<string, string>,
  request: Omit<DiagnosisRequest, 'inspection'> = {},
): Promise<Map<string, CheckReport>> {
  const reports = await diagnose({ inspection: inspectSettings({ source }), ...request });
  return new Map(reports.map((report) => [report.id, report]));
}

/** Status and finding, for one comparison. */
export function outcomes(
  reports: ReadonlyMap<string, CheckReport>,
  ...ids: string[]
): Record<string, string | undefined> {
  return Object.fromEntries(ids.map((id) => [id, reports.get(id)?.status]));
}
