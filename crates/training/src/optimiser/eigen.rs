//! Eigenvalues and eigenvectors of symmetric matrices.

use super::operators::dot;

/// A square matrix, row by row.
pub type Matrix = Vec<Vec<f64>>;

/// The identity matrix.
pub fn identity(size: usize) -> Matrix {
    (0..size).map(|row| (0..size).map(|column| f64::from(u8::from(row == column))).collect()).collect()
}

/// The eigenvalues of a symmetric matrix, and their eigenvectors of length 1.
///
/// Jacobi's method: rotate pairs of axes until the matrix is diagonal. It is slow for large matrices, but short, accurate for small
/// eigenvalues too, and gives the same result on every machine.
pub fn eigen(matrix: &Matrix) -> (Vec<f64>, Matrix) {
    let size = matrix.len();
    let (mut a, mut axes) = (matrix.clone(), identity(size));
    // Ten rounds are plenty. The bound is for matrices with infinite elements.
    for _ in 0..100 {
        let mut turned = false;
        for p in 0..size {
            for q in p + 1..size {
                if a[p][q].abs() <= f64::EPSILON * (a[p][p] * a[q][q]).abs().sqrt() {
                    continue;
                }
                turned = true;
                let slope = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                let tangent = slope.signum() / (slope.abs() + (slope * slope + 1.0).sqrt());
                let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
                let sine = tangent * cosine;
                let turn =
                    |x: &mut f64, y: &mut f64| (*x, *y) = (cosine * *x - sine * *y, sine * *x + cosine * *y);
                for row in &mut a {
                    let [x, y] = pair(row, p, q);
                    turn(x, y);
                }
                for rows in [&mut a, &mut axes] {
                    let [first, second] = pair(rows, p, q);
                    first.iter_mut().zip(second).for_each(|(x, y)| turn(x, y));
                }
                (a[p][q], a[q][p]) = (0.0, 0.0);
            }
        }
        if !turned {
            break;
        }
    }
    ((0..size).map(|at| a[at][at]).collect(), axes)
}

/// Two different elements.
fn pair<T>(slice: &mut [T], p: usize, q: usize) -> [&mut T; 2] {
    let (left, right) = slice.split_at_mut(q);
    [&mut left[p], &mut right[0]]
}

/// A matrix times a vector.
pub fn product(matrix: &Matrix, vector: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| dot(row, vector)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::operators::gaussians;
    use super::*;
    use tetrion_engine::randomizer::Random;

    #[test]
    fn a_matrix_of_two_is_as_worked_by_hand() {
        let (values, axes) = eigen(&vec![vec![2.0, 1.0], vec![1.0, 2.0]]);
        let mut sorted = values.clone();
        sorted.sort_by(f64::total_cmp);
        assert!((sorted[0] - 1.0).abs() < 1e-15 && (sorted[1] - 3.0).abs() < 1e-15, "{values:?}");
        assert!(axes.iter().flatten().all(|x| (x.abs() - 0.5f64.sqrt()).abs() < 1e-15), "{axes:?}");
    }

    #[test]
    fn axes_are_at_right_angles_and_the_matrix_only_stretches_them() {
        let mut random = Random::new(1);
        for size in [1, 2, 5, 20] {
            let factors: Matrix = (0..size).map(|_| gaussians(&mut random, size)).collect();
            // Squares of the rows' scales reach from 1 to 1e10.
            let scale = |row: usize| libm::pow(1e5, row as f64 / size as f64);
            let matrix: Matrix = (0..size)
                .map(|row| {
                    (0..size)
                        .map(|column| dot(&factors[row], &factors[column]) * scale(row) * scale(column))
                        .collect()
                })
                .collect();
            let (values, axes) = eigen(&matrix);
            let largest = values.iter().fold(0.0f64, |largest, value| largest.max(*value));
            for (at, axis) in axes.iter().enumerate() {
                for (other, second) in axes.iter().enumerate() {
                    let expected = f64::from(u8::from(at == other));
                    assert!((dot(axis, second) - expected).abs() < 1e-12);
                }
                for (x, stretched) in axis.iter().zip(product(&matrix, axis)) {
                    assert!((stretched - values[at] * x).abs() < 1e-12 * largest);
                }
            }
        }
    }
}
