import type { ImportRecordInput } from '../import-record.js';
import type { SourceFormat } from './source-format.js';

/** The lines of `latchkey users export`: each is a record as it is. */
export const nativeFormat: SourceFormat = {
  layouts: ['lines'],
  mapUser: (source) => ({ record: source as unknown as ImportRecordInput, notes: [] }),
};
