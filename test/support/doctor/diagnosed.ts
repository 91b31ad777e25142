import { inspectSettings } from '@latchkey/core/settings';
import { diagnose, type CheckReport, type DiagnosisRequest } from '@latchkey/operations';

/** Returns the reports of a diagnosis with these settings, by id. */
export async function diagnosed(
  source: Record<string, string>,
  request: Omit<DiagnosisRequest, 'inspection'> = {},
): Promise<Map<string, CheckReport>> {
  const reports = await diagnose({ inspection: inspectSettings({ source }), ...request });
  return new Map(reports.map((report) => [report.id, report]));
}

/** Returns the status of each id, for one comparison. */
export function outcomes(
  reports: ReadonlyMap<string, CheckReport>,
  ...ids: string[]
): Record<string, string | undefined> {
  return Object.fromEntries(ids.map((id) => [id, reports.get(id)?.status]));
}
