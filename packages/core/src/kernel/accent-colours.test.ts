import { wcagContrast } from 'culori';
import { describe, expect, it } from 'vitest';
import { accentColours } from './accent-colours.js';

describe('the accent', () => {
  it.each(['#2f5bd0', '#ffff00', '#000000', '#ffffff', '#777777', '#ff0000', '#00ff00', '#7f00ff'])(
    'the accent %s is legible in both schemes',
    (accent) => {
      const { light, dark } = accentColours(accent);
      expect(wcagContrast(light.accent, '#f4f5f7')).toBeGreaterThanOrEqual(4.5);
      expect(wcagContrast(light.accent, light.onAccent)).toBeGreaterThanOrEqual(4.5);
      expect(wcagContrast(dark.accent, '#1b2027')).toBeGreaterThanOrEqual(4.5);
      expect(wcagContrast(dark.accent, dark.onAccent)).toBeGreaterThanOrEqual(4.5);
    },
  );

  it('an accent that is legible already is not changed', () => {
    expect(accentColours('#2f5bd0').light.accent).toBe('#2f5bd0');
    expect(accentColours('#9db8ff').dark.accent).toBe('#9db8ff');
  });
});
