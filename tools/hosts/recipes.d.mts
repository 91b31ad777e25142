export interface Recipe {
  name: string;
  file: string;
  section: string;
  tried: string[];
  packages: string[];
  isShort: boolean;
}

export const RECIPES: Recipe[];
