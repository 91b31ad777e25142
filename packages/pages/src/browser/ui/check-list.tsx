import type { VNode } from 'preact';

interface CheckListProps {
  /** The name of the group. */
  legend: string;
  options: readonly string[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** A choice of any number of values. */
export const CheckList = ({ legend, options, chosen, onChange }: CheckListProps): VNode => (
  <fieldset class="checks">
    <legend>{legend}</legend>
    {options.map((option) => (
      <label key={option}>
        <input
          type="checkbox"
          checked={chosen.includes(option)}
          onChange={({ currentTarget }) =>
            onChange(currentTarget.checked ? [...chosen, option] : chosen.filter((each) => each !== option))
          }
        />
        <span>{option}</span>
      </label>
    ))}
  </fieldset>
);
